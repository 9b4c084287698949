// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IERC3009} from "./interfaces/IERC3009.sol";

/// @notice Play money for trying out dollar prices: anybody may make any amount of it.
/// @dev An ERC-20 token with EIP-3009 and six decimals, like USDC; accepts the signatures of contracts (ERC-1271) too.
contract TestDollar is ERC20, EIP712, IERC3009 {
    bytes32 private constant _TRANSFER_TYPE = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant _RECEIVE_TYPE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant _CANCEL_TYPE = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// @notice The version of the EIP-712 domain.
    string public constant version = "1";

    /// @inheritdoc IERC3009
    mapping(address authorizer => mapping(bytes32 nonce => bool used)) public authorizationState;

    /// @notice The authorization is not valid yet, or no more.
    error AuthorizationOutOfTime(uint256 validAfter, uint256 validBefore);
    /// @notice The authorization was used or cancelled before.
    error AuthorizationSpent(address authorizer, bytes32 nonce);
    /// @notice The holder did not sign this.
    error AuthorizationSignatureInvalid(address authorizer);
    /// @notice Only the recipient may use this authorization.
    error CallerNotRecipient(address recipient, address caller);

    constructor() ERC20("Heirloom Test Dollar", "TUSD") EIP712("Heirloom Test Dollar", version) {}

    /// @notice Makes play money for an account.
    /// @param amount In millionths of a test dollar.
    function faucet(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Returns the separator of the EIP-712 domain.
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @inheritdoc IERC3009
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 content = keccak256(abi.encode(_TRANSFER_TYPE, from, to, value, validAfter, validBefore, nonce));
        _use(from, validAfter, validBefore, nonce, content, abi.encodePacked(r, s, v));
        _transfer(from, to, value);
    }

    /// @inheritdoc IERC3009
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        bytes32 content = keccak256(abi.encode(_TRANSFER_TYPE, from, to, value, validAfter, validBefore, nonce));
        _use(from, validAfter, validBefore, nonce, content, signature);
        _transfer(from, to, value);
    }

    /// @inheritdoc IERC3009
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (msg.sender != to) revert CallerNotRecipient(to, msg.sender);
        bytes32 content = keccak256(abi.encode(_RECEIVE_TYPE, from, to, value, validAfter, validBefore, nonce));
        _use(from, validAfter, validBefore, nonce, content, abi.encodePacked(r, s, v));
        _transfer(from, to, value);
    }

    /// @inheritdoc IERC3009
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (msg.sender != to) revert CallerNotRecipient(to, msg.sender);
        bytes32 content = keccak256(abi.encode(_RECEIVE_TYPE, from, to, value, validAfter, validBefore, nonce));
        _use(from, validAfter, validBefore, nonce, content, signature);
        _transfer(from, to, value);
    }

    /// @notice Cancels an authorization that was not used, as its holder signed.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external {
        bytes32 content = keccak256(abi.encode(_CANCEL_TYPE, authorizer, nonce));
        _spend(authorizer, nonce, content, signature);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @dev Valid strictly after one time and strictly before the other, both in seconds.
    function _use(
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes32 content,
        bytes memory signature
    ) private {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) {
            revert AuthorizationOutOfTime(validAfter, validBefore);
        }
        _spend(from, nonce, content, signature);
        emit AuthorizationUsed(from, nonce);
    }

    function _spend(address authorizer, bytes32 nonce, bytes32 content, bytes memory signature) private {
        if (authorizationState[authorizer][nonce]) revert AuthorizationSpent(authorizer, nonce);
        if (!SignatureChecker.isValidSignatureNow(authorizer, _hashTypedDataV4(content), signature)) {
            revert AuthorizationSignatureInvalid(authorizer);
        }
        authorizationState[authorizer][nonce] = true;
    }
}
